/** A mistake of the operator. The message is one sentence: a stack trace does not help there. */
export class OperatorMistake extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}

/** Returns what a failed start prints: the sentence of a mistake of the operator, and otherwise the error itself. */
export function printedError(error: unknown): unknown {
  return error instanceof OperatorMistake ? error.message : error;
}
