/** Jest's global teardown for `seed-setup.mjs`. */
import { stopSharedApps } from './seed-setup.mjs';

export default function tearDown() {
  // Where Jest has run the files in this process, no worker gets the message.
  Reflect.apply(process.emit, process, ['message', [2]]);
  return stopSharedApps();
}
