// Sign-in and its neighbours look alike: a card with a title, and the links below it.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Brand } from '../../shell/brand.tsx';
import { Card, PRODUCT } from '../../ui/layout.tsx';

/** The frame of the pages before sign-in. */
export function Gate({
  title,
  children,
  below,
}: {
  title: string;
  children: ComponentChildren;
  below?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
  return (
    <main class="gate">
      <Brand />
      <Card>
        <h1>{title}</h1>
        {children}
      </Card>
      {below && <div class="row small">{below}</div>}
    </main>
  );
}
