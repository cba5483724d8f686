import { Page } from '../../ui/layout.tsx';

export default function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}
