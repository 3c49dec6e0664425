/** A signed-in user of the sandbox, without a browser: the identity provider's own calls, as the widgets make them. */
export interface ApiUser {
  readonly userId: string;
  /** Cookies that sign a browser in as this user, by name. */
  readonly cookies: Readonly<Record<string, string>>;
  /** A fresh session token, as the SPA sends it. */
  token(): Promise<string>;
  /** Proves the identity again with the password. */
  verifyAgain(password: string): Promise<void>;
  /** Calls a remote procedure as this user. */
  rpc<T = unknown>(name: string, body?: object): Promise<ApiResponse<T>>;
}

export interface ApiResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Sends a request, like `fetch`. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Calls a remote procedure with or without a token. */
export async function rpc<T = unknown>(
  url: string,
  name: string,
  body: object = {},
  token?: string,
  send: Send = fetch,
): Promise<ApiResponse<T>> {
  const response = await send(`${url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

interface Ways {
  /** Address of the sandboxes; by default that of the app. */
  readonly sandboxes?: string;
  /** Sends the calls of the app. */
  readonly send?: Send;
}

/** Signs up a new user with the sandbox's e-mail code. */
export async function signUp(url: string, email: string, password: string, ways: Ways = {}): Promise<ApiUser> {
  const browser = new SandboxBrowser(url, ways);
  const signUpAttempt = await browser.post('client/sign_ups', { email_address: email, password });
  const id = String(signUpAttempt['id']);
  await browser.post(`client/sign_ups/${id}/prepare_verification`, { strategy: 'email_code' });
  const verified = await browser.post(`client/sign_ups/${id}/attempt_verification`, {
    strategy: 'email_code',
    code: '424242',
  });
  return browser.user(String(verified['created_session_id']), String(verified['created_user_id']));
}

/** Signs in an existing user. */
export async function signIn(url: string, email: string, password: string, ways: Ways = {}): Promise<ApiUser> {
  const browser = new SandboxBrowser(url, ways);
  const attempt = await browser.post('client/sign_ins', { identifier: email, password, strategy: 'password' });
  const session = String(attempt['created_session_id']);
  return browser.user(session, await browser.userIdOf(session));
}

/** Keeps the cookies between calls, as a browser does. */
class SandboxBrowser {
  private readonly cookies: Record<string, string> = {};

  constructor(
    private readonly url: string,
    private readonly ways: Ways = {},
  ) {}

  async post(path: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.ways.sandboxes ?? this.url}/__clerk/v1/${path}`, {
      method: 'POST',
      headers: { Origin: this.url, Cookie: this.cookieHeader(), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.cookies[name] = value;
    }
    const body = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
    return (body['response'] ?? body) as Record<string, unknown>;
  }

  async userIdOf(sessionId: string): Promise<string> {
    const token = await this.tokenOf(sessionId);
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { sub: string };
    return payload.sub;
  }

  user(sessionId: string, userId: string): ApiUser {
    const token = (): Promise<string> => this.tokenOf(sessionId);
    return {
      userId,
      cookies: this.cookies,
      token,
      verifyAgain: async (password) => {
        const path = `client/sessions/${sessionId}/verify`;
        await this.post(path, { level: 'second_factor' });
        await this.post(`${path}/attempt_first_factor`, { strategy: 'password', password });
      },
      rpc: async <T>(name: string, body: object = {}) => {
        const answer = await rpc<T>(this.url, name, body, await token(), this.ways.send);
        // One that waited for its rate limit may have outlived its token. The web app sends it once more, too.
        if (answer.status !== 401 || (answer.body as { details?: unknown }).details !== 'token-expired') return answer;
        return rpc<T>(this.url, name, body, await token(), this.ways.send);
      },
    };
  }

  private cookieHeader(): string {
    return Object.entries(this.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  }

  private async tokenOf(sessionId: string): Promise<string> {
    return String((await this.post(`client/sessions/${sessionId}/tokens`, {}))['jwt']);
  }
}
