/** Runs once after the first paint; returns a function that cancels it. */
export function afterFirstPaint(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run);
  });
  // A background tab gets no frames, but must still load the identity SDK.
  const fallback = document.hidden ? setTimeout(run, 500) : undefined;
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
  };
}
