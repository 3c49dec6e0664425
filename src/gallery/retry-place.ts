/** Two additions at once can choose the same place. Each but the last of the tries below can lose to another one. */
const MAX_TRIES = 10;

const UNIQUE_VIOLATION = '23505';

/** Repeats a transaction that lost its place in a gallery to another one at the same moment. */
export async function retryPlace<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION || attempt === MAX_TRIES) throw error;
    }
  }
}
