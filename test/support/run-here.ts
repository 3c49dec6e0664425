import { jest } from '@jest/globals';
import { runArguments } from '../../src/cli/program.js';

/** Runs a program as its process does, without one. @returns its exit code, and what it wrote */
export async function runHere(
  program: Parameters<typeof runArguments>[0],
  args: string[],
  env: Parameters<typeof runArguments>[2],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  try {
    const code = await runArguments(program, args, env);
    return { code, out: written.stdout, err: written.stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
