import { Orbit } from 'lucide-react';
import { AreaPage } from '@/features/areas/area-page';

export function ResonancePage() {
  return (
    <AreaPage
      title="Resonance"
      backTo="/profile"
      icon={Orbit}
      emptyTitle="No Resonance profile yet"
      emptyText="Your traits and your horizon belong here; they match you with people who fit."
    />
  );
}
