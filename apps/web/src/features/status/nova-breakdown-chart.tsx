import { Bar, BarChart, Cell, LabelList, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { formatNova } from '@/shared/api';
import type { NovaSlice } from './status-types';

const COLOURS: Record<NovaSlice['key'], string> = {
  purchased: 'var(--color-nova)',
  earned: 'var(--color-gain)',
  owed: 'var(--color-influence)',
  pending: 'var(--color-hold)',
  held: 'var(--color-ink-faint)',
};
const BAR_HEIGHT = 34;

/** The parts stacked, each labelled on its bar; the table beneath gives the same figures. */
export function NovaBreakdownChart({ slices: shown }: { slices: readonly NovaSlice[] }) {
  return (
    <div aria-hidden="true" style={{ height: shown.length * BAR_HEIGHT + 8 }}>
      <ResponsiveContainer>
        <BarChart data={[...shown]} layout="vertical" margin={{ left: 0, right: 96, top: 0, bottom: 0 }} barSize={14}>
          <XAxis type="number" hide />
          <YAxis
            type="category"
            dataKey="label"
            width={128}
            axisLine={false}
            tickLine={false}
            tick={{ fill: 'var(--color-ink-muted)', fontSize: 12 }}
          />
          <Bar dataKey="amount" radius={7} minPointSize={4} isAnimationActive={false}>
            {shown.map(({ key }) => (
              <Cell key={key} fill={COLOURS[key]} />
            ))}
            <LabelList
              dataKey="amount"
              position="right"
              fill="var(--color-ink)"
              fontSize={12}
              formatter={(amount: unknown) => formatNova(Number(amount), { decimals: 'trim' })}
            />
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
