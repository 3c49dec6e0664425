import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import type { ImageInfo } from '../../../src/contract/media.js';
import { Picture } from './picture.js';

const image = (width: number, height: number): ImageInfo => ({
  url: '/media/x/1.webp',
  width,
  height,
  thumbhash: '',
  sources: [width, 640].map((each) => ({ type: 'image/webp', url: `/media/x/${each}.webp`, width: each })),
});

describe('Picture', () => {
  afterEach(cleanup);

  const shown = (picture: ImageInfo, ratio?: string) => {
    const { container } = render(<Picture image={picture} alt="a fox" sizes="300px" {...(ratio ? { ratio } : {})} />);
    return {
      srcSet: container.querySelector('source')?.getAttribute('srcset'),
      frame: container.querySelector('span')?.style.aspectRatio,
    };
  };

  it('has a frame of its own proportions, and offers its files by their widths', () => {
    expect(shown(image(1216, 832))).toEqual({
      frame: '1216 / 832',
      srcSet: '/media/x/1216.webp 1216w, /media/x/640.webp 640w',
    });
  });

  it('counts only the shown width of a wide picture in a square frame', () => {
    expect(shown(image(1216, 832), '1 / 1').srcSet).toBe('/media/x/1216.webp 832w, /media/x/640.webp 438w');
    expect(shown(image(832, 1216), '1 / 1').srcSet).toBe('/media/x/832.webp 832w, /media/x/640.webp 640w');
  });
});
