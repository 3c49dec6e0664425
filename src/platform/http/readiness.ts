import { Injectable } from '@nestjs/common';

/** Whether this process should be sent requests. Set by `main.ts`, read by `/readyz`. */
@Injectable()
export class Readiness {
  private reason: string | null = 'Starting.';

  ready(): void {
    this.reason = null;
  }

  /** From now on `/readyz` refuses with this sentence; open requests go on. */
  stopping(): void {
    this.reason = 'Stopping.';
  }

  notReadyBecause(): string | null {
    return this.reason;
  }
}
