import { describe, expect, it } from '@jest/globals';
import { landingScripts } from '../../scripts/lib/landing-size.mjs';

const html = `
  <script type="module" crossorigin src="/assets/index-a1.js"></script>
  <link rel="modulepreload" crossorigin href="/assets/storage-b2.js">
  <link rel="stylesheet" crossorigin href="/assets/index-c3.css">
  <link rel="preload" as="font" href="/assets/face-d4.woff2">`;

const build: Record<string, string> = {
  'index-a1.js': `import{a as e}from"./storage-b2.js";const m=["assets/home-page-e5.js","assets/admin-f6.js"];
    lazy(()=>t(()=>import("./home-page-e5.js"),m));lazy(()=>import("./admin-f6.js"))`,
  'storage-b2.js': 'import"./base-g7.js";export{b as a}',
  'base-g7.js': 'export{x}from"./leaf-h8.js"',
  'leaf-h8.js': 'export const x=1',
  'home-page-e5.js': `import{q}from'./leaf-h8.js';import{z}from"./carousel-i9.js"`,
  'carousel-i9.js': 'const later=()=>import("./account-j0.js")',
};

const read = (name: string): string => {
  const code = build[name];
  if (code === undefined) throw new Error(`${name} is not part of the landing page`);
  return code;
};

describe('landing page size', () => {
  it('counts the scripts of the page, the home page and their imports once, without lazy ones', () => {
    expect(landingScripts(html, read).sort()).toEqual(Object.keys(build).sort());
  });

  it('fails when the build has no home page', () => {
    expect(() => landingScripts('<script src="/assets/leaf-h8.js"></script>', read)).toThrow('home page');
  });
});
