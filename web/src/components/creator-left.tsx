import { ButtonLink } from './button.js';
import { Name } from './name.js';

/** The page of a creator who has withdrawn. */
export function CreatorLeft({ name }: { readonly name: string }): React.ReactNode {
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16">
      <title translate="no">{`${name} has left · Fanvas`}</title>
      <h1 className="display max-w-[16ch] break-words text-44 text-balance sm:text-96">
        <Name>{name}</Name> has left Fanvas
      </h1>
      <p className="mt-4 max-w-[52ch] text-18 text-ink-2">
        New images are no longer made in their style, and their gallery is closed. Images that you made before stay
        yours, in My Creations. An image that was in progress was stopped, and its credits are back in your account.
      </p>
      <div className="mt-8 flex flex-wrap gap-2">
        <ButtonLink to="/" kind="solid" size={48}>
          See other creators
        </ButtonLink>
        <ButtonLink to="/my-creations" size={48}>
          My Creations
        </ButtonLink>
      </div>
    </div>
  );
}
