// How a page says that a change is kept: whether calls obey it, or it waits to be published.
export const savedText = ({ draftVersion }: { draftVersion: number | null }): string =>
  draftVersion === null
    ? 'Saved. It takes effect on the next call.'
    : 'Saved as a draft. Publish it on the tab Versions.';
