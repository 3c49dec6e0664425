/** Whether a Host header names this machine. Prevents DNS rebinding: an attacker's page sends its own host name. */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host ?? '');
}
