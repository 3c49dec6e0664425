/** Whether a Host header names this machine. Prevents DNS rebinding: a web page's host name is another one. */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host ?? '');
}
