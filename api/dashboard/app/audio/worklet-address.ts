// Where the dashboard's page has the script of the browser's audio thread.

export const workletAddress = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="worklet"]')?.content ?? '';
