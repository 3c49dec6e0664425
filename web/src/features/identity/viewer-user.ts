import type { ViewerUser } from '../../lib/auth.js';

/** The identity SDK's user record: the fields that are read. */
interface IdentityUser extends Omit<ViewerUser, 'email' | 'metadata' | 'imageUrl'> {
  readonly imageUrl: string;
  /** False: `imageUrl` is a drawing that the provider made. */
  readonly hasImage: boolean;
  readonly unsafeMetadata: Readonly<Record<string, unknown>>;
  readonly primaryEmailAddress: { readonly emailAddress: string } | null;
}

/** Reduces the identity SDK's user to what the pages show or send. */
export function viewerUserOf({
  id,
  fullName,
  firstName,
  lastName,
  imageUrl,
  hasImage,
  primaryEmailAddress,
  createdAt,
  unsafeMetadata,
}: IdentityUser): ViewerUser {
  return {
    id,
    fullName,
    firstName,
    lastName,
    imageUrl: hasImage ? imageUrl : null,
    email: primaryEmailAddress?.emailAddress ?? null,
    createdAt,
    metadata: unsafeMetadata,
  };
}
