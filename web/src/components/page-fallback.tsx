/**
 * Keeps the footer below the fold while the code of a page loads, and says so when that takes long. The children say
 * what else it waits for.
 */
export function PageFallback({ children }: { readonly children?: React.ReactNode }): React.ReactNode {
  return (
    <div aria-busy="true" className="min-h-svh">
      {children === undefined ? (
        <p className="wrap animate-[fade-in_0.2s_0.8s_both] py-8 text-18 text-ink-2">Loading...</p>
      ) : (
        <span className="sr-only">Loading...</span>
      )}
      {children}
    </div>
  );
}
