// How a page says that a change is kept: whether calls obey it, or it waits to be published.
import { t } from '../words/words.ts';
export const savedText = ({ draftVersion }: { draftVersion: number | null }): string =>
  draftVersion === null
    ? t('Saved. It takes effect on the next call.')
    : t('Saved as a draft. Publish it on the tab Versions.');
