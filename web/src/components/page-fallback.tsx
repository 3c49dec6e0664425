/** Keeps the footer below the fold while the code of a page loads. The children say what else it waits for. */
export function PageFallback({ children }: { readonly children?: React.ReactNode }): React.ReactNode {
  return (
    <div aria-busy="true" className="min-h-svh">
      <span className="sr-only">Loading...</span>
      {children}
    </div>
  );
}
