import { randomUUID } from 'node:crypto';
import { type TestApp } from './test-app.js';

export interface Applicant {
  readonly userId: string;
  readonly email: string;
  readonly creatorId: string;
}

/** A person whose address the identity provider has verified. */
export async function verifiedPerson(
  app: TestApp,
  fields: { readonly userId?: string; readonly email?: string } = {},
): Promise<{ readonly userId: string; readonly email: string }> {
  const { userId = `user_${randomUUID()}` } = fields;
  const { email = `${userId}@fans.test` } = fields;
  await app.pool.query(
    `insert into app_user (id, email, email_verified, created_at, updated_at) values ($1, $2, true, now(), now())`,
    [userId, email],
  );
  return { userId, email };
}

/** A person whose application is open. */
export async function newApplicant(
  app: TestApp,
  { name = 'Nadia Voss', ...person }: { readonly name?: string | undefined; readonly userId?: string } = {},
): Promise<Applicant> {
  const { userId, email } = await verifiedPerson(app, person);
  const { status, body } = await app.rpc<{ creator_id: string }>('create_creator_by_jwt', userId, {
    p_email: email,
    p_name: name,
    p_instagram: `@n${randomUUID().slice(0, 12).replaceAll('-', '')}`,
    p_terms_agreed: true,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { userId, email, creatorId: body.creator_id };
}
