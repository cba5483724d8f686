// For files that share a process: what closes there when all of them have ended.
const closers: (() => Promise<void>)[] = [];

export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close);
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
