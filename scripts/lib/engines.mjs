import { existsSync, readdirSync } from 'node:fs';
import { installPackages } from './debian-packages.mjs';

export const FIREFOX = '/usr/bin/firefox-esr';
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
export const XVFB = '/usr/bin/Xvfb';
const LIBRARIES = '/usr/lib';

/** WebKitGTK's small browser; `undefined` without one. */
export function webkitBrowser() {
  for (const folder of readdirSync(LIBRARIES)) {
    for (const version of ['4.1', '4.0']) {
      const path = `${LIBRARIES}/${folder}/webkit2gtk-${version}/MiniBrowser`;
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}

/**
 * The engines besides Chromium that Debian has.
 * @type {{ name: string, packages: string[], isInstalled: () => boolean }[]}
 */
export const ENGINES = [
  { name: 'firefox', packages: ['firefox-esr'], isInstalled: () => existsSync(FIREFOX) },
  {
    name: 'webkit',
    packages: ['webkit2gtk-driver', 'xvfb'],
    isInstalled: () => existsSync(WEBKIT_DRIVER) && existsSync(XVFB) && webkitBrowser() !== undefined,
  },
];

/**
 * @param {(typeof ENGINES)[number]} engine
 * @returns {Promise<boolean>} whether it is installed, now at least
 */
export async function ensureEngine({ packages, isInstalled }) {
  if (!isInstalled()) await installPackages(...packages);
  return isInstalled();
}
