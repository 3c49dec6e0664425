import { Injectable } from '@nestjs/common';

/** Whether this process accepts requests. The composition sets it, `/readyz` reports it. */
@Injectable()
export class Readiness {
  private reason: string | null = 'Starting.';

  ready(): void {
    this.reason = null;
  }

  /** From now on `/readyz` refuses. Open requests continue. */
  stopping(): void {
    this.reason = 'Stopping.';
  }

  notReadyBecause(): string | null {
    return this.reason;
  }
}
