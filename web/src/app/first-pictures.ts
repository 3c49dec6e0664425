/** Longest time to wait for pictures, in ms. A visitor with a very slow connection gets the code then. */
const MOST_MS = 3_000;

/**
 * Resolves when the pictures that the server marked as important are shown, or cannot be. The code of the page is
 * loaded after them, because both would share a slow connection. A visitor who uses the page gets its code at once.
 * @param root holds the drawn page
 */
export async function firstPictures(root: HTMLElement): Promise<void> {
  const pictures = [...root.querySelectorAll<HTMLImageElement>('img[fetchpriority=high]')];
  // A picture that cannot be loaded rejects: the page starts without it, and shows that itself.
  const shown = Promise.allSettled(pictures.map((picture) => picture.decode()));
  const late = new Promise((resolve) => setTimeout(resolve, MOST_MS));
  const used = new Promise((resolve) => {
    for (const event of ['pointerdown', 'keydown']) root.addEventListener(event, resolve, { once: true });
  });
  await Promise.race([shown, late, used]);
}
