import { OperatorMistake } from './operator-mistake.js';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';

/** The data folder cannot be used. The message is one sentence. */
export class DataFolderError extends OperatorMistake {
  constructor(folder: string, cause: unknown) {
    const user = process.getuid ? ` with user id ${process.getuid()}` : '';
    super(
      `This process${user} cannot write to ${folder} (${String((cause as NodeJS.ErrnoException).code)}): ` +
        'give the folder to that user, or set DATA_DIR to another one.',
      cause,
    );
  }
}

/**
 * Makes the folder if it is missing, and checks that this process may write to it.
 * @throws DataFolderError
 */
export async function requireWritableFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderError(folder, error);
  }
}
