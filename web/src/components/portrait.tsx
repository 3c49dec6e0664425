import { useState } from 'react';
import type { PublicCreator } from '../../../src/contract/gallery.js';
import { initials, monogramColour } from './avatar.js';
import { Picture } from './picture.js';
import { cx } from '../lib/cx.js';

interface PortraitProps {
  readonly creator: Pick<PublicCreator, 'name' | 'profile' | 'profile_image'>;
  readonly sizes: string;
  readonly ratio: string;
  readonly priority?: boolean;
  readonly near?: boolean;
  readonly className?: string;
}

/** The portrait of a creator; the initials of the name, in its own colour, when it is missing or broken. */
export function Portrait({
  creator,
  sizes,
  ratio,
  priority = false,
  near = false,
  className,
}: PortraitProps): React.ReactNode {
  const { name, profile, profile_image: plain } = creator;
  const [broken, setBroken] = useState(false);
  const standIn = (
    <span
      aria-hidden
      translate="no"
      className="monogram @container absolute inset-0 flex items-center justify-center"
      style={monogramColour(name)}
    >
      <span className="display text-[min(38cqi,8rem)]">{initials(name)}</span>
    </span>
  );
  const alt = `Portrait of ${name}`;
  if (profile) {
    return (
      <Picture
        image={profile}
        alt={alt}
        sizes={sizes}
        ratio={ratio}
        priority={priority}
        near={near}
        fallback={standIn}
        className={className}
      />
    );
  }
  return (
    <span className={cx('relative block overflow-hidden bg-hover', className)} style={{ aspectRatio: ratio }}>
      {plain && !broken ? (
        <img
          src={plain}
          alt={alt}
          loading={priority ? 'eager' : 'lazy'}
          onError={() => setBroken(true)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        standIn
      )}
    </span>
  );
}
