interface Fiber {
  readonly type: unknown;
  readonly flags: number;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

interface Root {
  readonly current: Fiber;
}

/** The hook of React's developer tools, as the environment of component tests provides it. */
interface DeveloperHook {
  /** The root of the last commit. */
  readonly root: Root;
  onCommitFiberRoot: (renderer: number, root: Root) => void;
}

/** The flag of a component that was called for the commit. */
const PERFORMED_WORK = 1;

/** Counts the renders of a component, by the name of its function, while `act` runs on the page that is shown. */
export function countRenders(component: string, act: () => void): number {
  const { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook } = globalThis as unknown as {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: DeveloperHook;
  };
  const before = hook.onCommitFiberRoot;
  let committed = fibersBelow(hook.root.current);
  let count = 0;
  hook.onCommitFiberRoot = (renderer, root) => {
    const fibers = fibersBelow(root.current);
    for (const fiber of fibers) {
      const { type, flags } = fiber;
      const isNamed = typeof type === 'function' && type.name === component;
      // A component that React skipped keeps its fiber, with the flags of its last render.
      if (isNamed && !committed.has(fiber) && (flags & PERFORMED_WORK) !== 0) count += 1;
    }
    committed = fibers;
    before.call(hook, renderer, root);
  };
  try {
    act();
  } finally {
    hook.onCommitFiberRoot = before;
  }
  return count;
}

function fibersBelow(fiber: Fiber | null, found = new Set<Fiber>()): Set<Fiber> {
  for (let at = fiber; at; at = at.sibling) {
    found.add(at);
    fibersBelow(at.child, found);
  }
  return found;
}
