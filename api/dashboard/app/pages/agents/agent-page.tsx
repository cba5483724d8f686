import type { PageProps } from '../../pages.ts';
import { Page } from '../../ui/layout.tsx';

export default function AgentPage({ params }: PageProps) {
  return <Page title={params.id ?? 'New agent'}>{null}</Page>;
}
