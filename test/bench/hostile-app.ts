import { startFanvas } from '../../src/compose.js';
import { loadConfig } from '../../src/platform/config/load-config.js';

/** Runs the app on the benchmark's database until the parent process disconnects. The parent sets the environment. */
const app = await startFanvas(loadConfig(process.env, process.cwd()));
process.once('disconnect', () => void app.stop());
process.send?.(app.url);
