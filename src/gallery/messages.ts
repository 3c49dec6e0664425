/** Texts of admins' calls about galleries. */
export const GALLERY_MESSAGES = {
  /** 401 (creator spec, section 8). */
  authenticationRequired: 'Authentication required for gallery modifications',
  conflict: 'The gallery was changed by someone else. Nothing was saved.',
  repeated: 'A generation can be in the gallery only once.',
  notAddable: 'Only completed generations of this creator can be in the gallery.',
  full: (most: number) => `A gallery holds at most ${most} images.`,
  otherImages: 'The order must contain exactly the images of the gallery.',
} as const;
