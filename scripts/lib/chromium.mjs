import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './debian-packages.mjs';
import { say } from './console.mjs';
import { runBin } from './run.mjs';

/** Chromium without the windows of a desktop: the same engine, for two thirds of the processor time. */
const SHELL = 'chromium-headless-shell';
const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The error without a browser. The end-to-end part fails with it; it is never skipped. */
export const noChromium =
  'The end-to-end tests need Chromium, and none could be found or installed. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to its executable, then try again.';

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not executable
  }
}

/**
 * Whether the browser starts. The file alone proves nothing: Ubuntu's chromium-browser only asks for a snap, and a
 * downloaded browser may lack system libraries.
 * @param {string} path
 */
function isUsable(path) {
  if (!isExecutable(path)) return false;
  try {
    return /chrom/i.test(execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000, stdio: 'pipe' }));
  } catch {
    return false; // does not start
  }
}

/** The path of the browser that Playwright downloads. */
async function downloadedChromium() {
  const { chromium } = await import('playwright-core');
  return chromium.executablePath();
}

/**
 * The Chromium (or Chrome) to test with: CHROMIUM_PATH if it is set, else a system browser on the PATH, else the one
 * Playwright has downloaded. `undefined` when none starts.
 * @returns {Promise<string | undefined>}
 */
export async function findChromium() {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...elsewhere,
    await downloadedChromium(),
  ];
  return candidates.find(isUsable);
}

/** Whether Playwright can reach its download; without this check it retries for five minutes without a network. */
async function canDownload() {
  const env = process.env;
  if (env['HTTPS_PROXY'] || env['https_proxy']) return true; // Playwright uses the proxy; this fetch would not
  try {
    await fetch(env['PLAYWRIGHT_DOWNLOAD_HOST'] ?? 'https://cdn.playwright.dev', {
      method: 'HEAD',
      signal: AbortSignal.timeout(10_000),
    });
    return true;
  } catch {
    return false; // not reachable
  }
}

/**
 * Finds a Chromium or installs one: as root the package of Debian's headless shell, else Playwright's download, else
 * the package of the whole browser.
 * @returns {Promise<string | undefined>} `undefined` when none is available
 */
export async function ensureChromium() {
  let found = await findChromium();
  if (process.env['CHROMIUM_PATH'] || found?.endsWith(SHELL)) return found;
  if (await installPackages(SHELL)) found = await findChromium();
  if (found) return found;

  if (await canDownload()) {
    say('No Chromium on this machine: downloading one for the end-to-end tests (about 170 MB)…');
    const { code } = await runBin('playwright-core', ['install', 'chromium'], { capture: true, timeoutMs: 300_000 });
    const downloaded = await findChromium();
    if (downloaded) return downloaded;
    say(code === 0 ? 'The downloaded Chromium does not start on this system.' : 'The download did not work.');
  } else {
    say('No Chromium on this machine, and the download server cannot be reached.');
  }

  await installPackages('chromium');
  return findChromium();
}
