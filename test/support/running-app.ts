import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { type RunningApp, startFanvas } from '../../src/composition/compose.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { type GenerationView } from '../../src/contract/generation.js';
import { addingCreator } from './adding-creator.js';
import { type ApiUser, rpc, signUp } from './api-client.js';
import { freePort } from './app-process.js';
import { PICTURE_PX } from './picture-px.mjs';
import { until } from './until.js';

/** Starts the composed app of this process with one creator, in a folder that goes with it. */
export async function startWithCreator(settings: Readonly<Record<string, string>>): Promise<RunningApp> {
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-running-'));
  const sandbox = { SANDBOX_DEMO: 'none', SANDBOX_DRAW_MS: '50', SANDBOX_PICTURE_PX: String(PICTURE_PX) };
  const own = { DATA_DIR: folder, PORT: String(await freePort()), ...sandbox };
  try {
    const app = await startFanvas(loadConfig({ ...own, LOG_LEVEL: 'silent', ...settings }, '/'));
    await app.context.get(CommandBus).execute(addingCreator('running'));
    const stop = async (): Promise<void> => {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    return { ...app, stop };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export const FAN_PASSWORD = 'running-test-1';
/** Keeps the reads of a fan below their rate limit of 50 a minute. */
const POLL_MS = 1_250;

/** A new fan creates an image. Resolves when it has arrived. */
export async function createImage(url: string, name: string): Promise<ApiUser> {
  const fan = await signUp(url, `${name}@running.test`, FAN_PASSWORD);
  const { body: creators } = await rpc<{ id: string }[]>(url, 'get_public_creators');
  const started = await fan.rpc<{ generation_id: string }>('start_generation_by_jwt', {
    p_prompt: 'A lighthouse at dawn',
    p_creator_id: creators[0]?.id,
  });
  if (started.status !== 200) throw new Error(`The start answered ${started.status}: ${JSON.stringify(started.body)}`);
  const { generation_id: id } = started.body;
  const isCompleted = async (): Promise<boolean> => {
    const { body } = await fan.rpc<GenerationView>('get_generation_by_id', { p_generation_id: id });
    return body.status === 'completed';
  };
  await until(isCompleted, 'the image', 30_000, POLL_MS);
  return fan;
}
