/** Keeps the footer below the fold while the code of a page loads. */
export function PageFallback(): React.ReactNode {
  return (
    <div aria-busy="true" className="min-h-svh">
      <span className="sr-only">Loading...</span>
    </div>
  );
}
