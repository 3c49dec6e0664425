/** Whether a Host header names this machine, so that no page elsewhere can have led a browser here by DNS rebinding. */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host ?? '');
}
