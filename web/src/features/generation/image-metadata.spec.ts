import { describe, expect, it } from '@jest/globals';
import { generation } from '../../../test/rows.js';
import { imageMetadata } from './image-metadata.js';

const completed = generation({
  status: 'completed',
  prompt: 'a fox </script>',
  image_url: '/media/x/1024.webp',
  image: {
    url: '/media/x/1024.webp',
    width: 1024,
    height: 1024,
    thumbhash: '',
    sources: [
      { type: 'image/webp', url: '/media/x/1024.webp', width: 1024 },
      { type: 'image/webp', url: '/media/x/256.webp', width: 256 },
    ],
  },
  creator_username: 'rafaquill',
  creator_name: 'Rafa Quill',
  created_at: '2026-11-20T21:04:00Z',
  completed_at: '2026-11-20T21:04:14Z',
});

describe('imageMetadata', () => {
  it('describes a finished image with absolute addresses', () => {
    expect(imageMetadata(completed, 'https://fanvas.example')).toEqual({
      '@context': 'https://schema.org',
      '@type': 'ImageObject',
      name: 'a fox </script>',
      caption: 'a fox </script>',
      url: 'https://fanvas.example/rafaquill/generate/g1',
      contentUrl: 'https://fanvas.example/media/x/1024.webp',
      thumbnailUrl: 'https://fanvas.example/media/x/256.webp',
      width: 1024,
      height: 1024,
      uploadDate: '2026-11-20T21:04:00Z',
      creator: { '@type': 'Person', name: 'Rafa Quill', url: 'https://fanvas.example/rafaquill' },
    });
  });

  it('returns null without an image', () => {
    expect(imageMetadata({ ...completed, status: 'pending' }, 'https://fanvas.example')).toBeNull();
    expect(imageMetadata({ ...completed, image: null }, 'https://fanvas.example')).toBeNull();
  });
});
