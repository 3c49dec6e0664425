import { useState } from 'react';
import type { ImageInfo } from '../../../src/contract/media.js';
import { cx } from '../lib/cx.js';
import { Picture } from './picture.js';

interface AvatarProps {
  /** Its initials, in its own colour, replace a missing or broken picture. */
  readonly name: string;
  readonly image?: ImageInfo | null;
  readonly src?: string | null | undefined;
  /** Side in px. */
  readonly size?: number;
  /** People are round, creators are tiles. */
  readonly shape?: 'round' | 'tile';
  readonly className?: string;
}

/** A small decorative picture of a person. The name must be next to it or on its button. */
export function Avatar({ name, image, src, size = 40, shape = 'round', className }: AvatarProps): React.ReactNode {
  const [broken, setBroken] = useState<string | null>(null);
  const round = shape === 'round' ? 'rounded-pill' : 'rounded-[10px]';
  const picture = src && src !== broken ? src : null;
  const box = { width: size, height: size };
  if (image) {
    return (
      <span className={cx('block shrink-0 overflow-hidden', round, className)} style={box}>
        <Picture
          image={image}
          alt=""
          sizes={`${size}px`}
          ratio="1 / 1"
          fallback={<Avatar name={name} size={size} shape={shape} className="absolute inset-0" />}
        />
      </span>
    );
  }
  return (
    <span
      aria-hidden
      // The style shows them. As text they would be a part of what the button of the account says.
      data-initials={picture ? undefined : initials(name)}
      translate="no"
      className={cx('monogram flex shrink-0 items-center justify-center overflow-hidden font-[600]', round, className)}
      style={{ ...box, fontSize: size * 0.36, ...monogramColour(name) }}
    >
      {picture && (
        <img
          src={picture}
          alt=""
          width={size}
          height={size}
          className="size-full object-cover"
          onError={() => setBroken(picture)}
        />
      )}
    </span>
  );
}

/** The colour of a name, always the same, for an element of the class `monogram`. */
export function monogramColour(name: string): React.CSSProperties {
  // Each letter counts, so that names of the same length or first letter differ.
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 0);
  return { '--hue': hue } as React.CSSProperties;
}

/** The first letters of the first and the last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
