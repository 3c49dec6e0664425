import { startHostileApp } from './hostile-app.js';

/** Runs the app in a process of its own until the parent disconnects. The parent gets the creator's id. */
const app = await startHostileApp(process.env, 100);
process.once('disconnect', () => void app.stop());
process.send?.(app.creatorId);
