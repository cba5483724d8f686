// Whether a process of this machine is alive: signal 0 is checked, never delivered.

export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Alive, but owned by another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
