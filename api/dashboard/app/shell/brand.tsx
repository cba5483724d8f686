// The product's name and mark, as a link to the first page.
import { link } from '../router.ts';
import { PRODUCT } from '../ui/layout.tsx';

export function Brand() {
  return (
    <a class="brand" href={link('/')}>
      <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" aria-hidden="true">
        <title>{PRODUCT}</title>
        <path d="M2 10h2M6 6v8M10 3v14M14 6v8M18 10h0" stroke-width="2" stroke-linecap="round" />
      </svg>
      {PRODUCT}
    </a>
  );
}
