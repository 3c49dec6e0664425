import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, render } from '@testing-library/react';
import { Avatar } from './avatar.js';
import { Portrait } from './portrait.js';

afterEach(cleanup);

const hueOf = (root: HTMLElement): string =>
  root.querySelector<HTMLElement>('.monogram')?.style.getPropertyValue('--hue') ?? '';
const initialsOf = (root: HTMLElement): string | undefined =>
  root.querySelector<HTMLElement>('.monogram')?.dataset['initials'];
const avatar = (name: string, src?: string): HTMLElement => render(<Avatar name={name} src={src} />).container;

describe('Avatar', () => {
  it('shows the initials in the colour of the name, which is always the same', () => {
    const juno = avatar('Juno de Abara');
    expect(initialsOf(juno)).toBe('JA');
    expect(hueOf(juno)).not.toBe('');
    expect(hueOf(avatar('Juno de Abara'))).toBe(hueOf(juno));
    expect(hueOf(avatar('Kit Hanamori'))).not.toBe(hueOf(juno));
    // The same first letter and length.
    expect(hueOf(avatar('Jule de Abara'))).not.toBe(hueOf(juno));
    expect(hueOf(avatar(''))).toBe('0');
  });

  it('shows the initials when the picture is broken', () => {
    const juno = avatar('Juno Abara', '/portrait.webp');
    expect(initialsOf(juno)).toBeUndefined();
    const image = juno.querySelector('img');
    expect(image?.getAttribute('src')).toBe('/portrait.webp');
    if (image) fireEvent.error(image);
    expect(initialsOf(juno)).toBe('JA');
  });

  it('shows the initials when none of the sizes of the picture can be loaded', () => {
    const image = { url: '/media/x/1024.webp', width: 1024, height: 1024, thumbhash: '', sources: [] };
    const { container } = render(<Avatar name="Juno Abara" image={image} />);
    expect(initialsOf(container)).toBeUndefined();
    const file = container.querySelector('img');
    if (file) fireEvent.error(file);
    expect([initialsOf(container), hueOf(container)]).toEqual(['JA', hueOf(avatar('Juno Abara'))]);
  });
});

describe('Portrait', () => {
  it('shows the initials in the colour of the name without a picture', () => {
    const creator = { name: 'Juno Abara', profile: null, profile_image: null };
    const { container } = render(<Portrait creator={creator} sizes="1px" ratio="1 / 1" />);
    expect([container.textContent, hueOf(container)]).toEqual(['JA', hueOf(avatar('Juno Abara'))]);
  });
});
