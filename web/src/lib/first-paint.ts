/** Runs once the first screen has been painted; returns how to call it off. */
export function afterFirstPaint(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run);
  });
  // A tab opened in the background gets no frames; it should still know who is signed in.
  const fallback = document.hidden ? setTimeout(run, 500) : undefined;
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
  };
}
