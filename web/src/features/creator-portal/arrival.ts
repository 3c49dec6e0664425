/** Ways to the terms (creator spec, section 4). */
export type FlowType = 'new_user' | 'existing_user' | 'existing_creator';

const FLOW_TYPES: readonly string[] = ['new_user', 'existing_user', 'existing_creator'] satisfies FlowType[];

export interface ApplicationFields {
  readonly name: string;
  readonly instagram: string;
}

/** Navigation state between the pages of the portal. */
export interface Arrival {
  readonly source: 'signup' | 'application' | null;
  readonly flowType: FlowType | null;
  /** The account that signed up or applied. */
  readonly userId: string | null;
  readonly formData: ApplicationFields | null;
  /** When the terms were accepted, in milliseconds. */
  readonly acceptedAt: number | null;
  /** A rejected person asks for the application form. */
  readonly applyAgain: boolean;
}

/** Reads a navigation state. Ignores other shapes, because history entries outlive releases. */
export function arrivalOf(state: unknown): Arrival {
  const { source, flowType, userId, formData, user, termsJustAccepted, timestamp, applyAgain } = fieldsOf(state);
  const { name, instagram } = fieldsOf(formData);
  return {
    source: source === 'signup' || source === 'application' ? source : null,
    flowType: typeof flowType === 'string' && FLOW_TYPES.includes(flowType) ? (flowType as FlowType) : null,
    userId: textOf(userId) ?? textOf(fieldsOf(user)['clerkId']),
    formData: typeof name === 'string' && typeof instagram === 'string' ? { name, instagram } : null,
    acceptedAt: termsJustAccepted === true && typeof timestamp === 'number' ? timestamp : null,
    applyAgain: applyAgain === true,
  };
}

/** State for the terms after a sign-up. */
export const afterSignUp = (userId: string): object => ({ source: 'signup', flowType: 'new_user', userId });

/** State for the terms after an application. */
export const afterApplication = (formData: ApplicationFields, user: { clerkId: string; email: string }): object => ({
  source: 'application',
  flowType: 'existing_user',
  formData,
  user,
});

/** State for the terms of a creator who has a record. */
export const asCreator: object = { flowType: 'existing_creator' };

/** State for the portal after the terms were accepted. */
export const afterAcceptance = (flowType: FlowType, timestamp: number): object => ({
  termsJustAccepted: true,
  timestamp,
  flowType,
});

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
