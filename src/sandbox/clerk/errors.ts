/** A refusal in the shape of Clerk's API: 4xx `{errors: [{code, message, long_message, meta}]}`. */
export class ClerkRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The form field that the message is about. */
    readonly paramName?: string,
  ) {
    super(message);
    this.name = 'ClerkRefusal';
  }
}

/** The response body of a refused request. */
export function refusalBody(refusal: ClerkRefusal): object {
  const meta = refusal.paramName ? { param_name: refusal.paramName } : {};
  return {
    errors: [{ code: refusal.code, message: refusal.message, long_message: refusal.message, meta }],
    clerk_trace_id: 'sandbox',
  };
}

export const notFound = (resource: string): ClerkRefusal =>
  new ClerkRefusal(404, 'resource_not_found', `${resource} not found`);

export const signedOut = (): ClerkRefusal => new ClerkRefusal(401, 'signed_out', 'You are signed out');

/** A refusal of a field of the form. */
export const refusedField = (code: string, message: string, name: string): ClerkRefusal =>
  new ClerkRefusal(422, code, message, name);

export const missingField = (name: string): ClerkRefusal =>
  refusedField('form_param_missing', `${name} must be included.`, name);

export const incorrectPassword = (): ClerkRefusal =>
  refusedField('form_password_incorrect', 'Password is incorrect. Try again, or use another method.', 'password');

export const incorrectCode = (): ClerkRefusal => refusedField('form_code_incorrect', 'Incorrect code', 'code');

export const invalidStrategy = (): ClerkRefusal =>
  refusedField('strategy_for_user_invalid', 'The strategy is not valid for this account.', 'strategy');

export const emailTaken = (): ClerkRefusal =>
  refusedField('form_identifier_exists', 'That email address is taken. Please try another.', 'email_address');
