import type { ReactElement } from 'react';
import { CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

/** `12.3K`: short enough for the end of a line. */
export const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** `1.05B`: the quarters of an axis need two decimals, so that evenly spaced lines show evenly spaced figures. */
export const axisFigure = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const dayAndMonth = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });

const TICK = { fill: 'var(--color-ink-faint)', fontSize: 12 };
export const LABEL = { fill: 'var(--color-ink)', fontSize: 12 };
export const MARGIN = { top: 28, right: 44, bottom: 0, left: 0 };

const dayTick = (day: string): string => dayAndMonth.format(new Date(day));

/** What all charts share: days, a unit on the axis, and exact figures under the pointer. */
export function frame(unit: string, format: (value: unknown) => string) {
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--color-line)" />,
    <XAxis
      key="days"
      dataKey="day"
      tickFormatter={dayTick}
      tick={TICK}
      tickLine={false}
      axisLine={{ stroke: 'var(--color-line-strong)' }}
      minTickGap={40}
      tickMargin={8}
    />,
    <YAxis
      key="figures"
      width={44}
      tick={TICK}
      tickLine={false}
      axisLine={false}
      allowDecimals={false}
      tickFormatter={(value: number) => axisFigure.format(value)}
      label={{ value: unit, position: 'top', offset: 12, fill: 'var(--color-ink-muted)', fontSize: 12 }}
    />,
    <Tooltip
      key="pointer"
      isAnimationActive={false}
      cursor={{ stroke: 'var(--color-line-strong)', fill: 'var(--color-sky-700)', fillOpacity: 0.5 }}
      contentStyle={{
        background: 'var(--color-sky-700)',
        border: '1px solid var(--color-line-strong)',
        borderRadius: 8,
        fontSize: 12,
      }}
      labelStyle={{ color: 'var(--color-ink-muted)' }}
      itemStyle={{ color: 'var(--color-ink)' }}
      labelFormatter={(day) => (typeof day === 'string' ? weekday.format(new Date(day)) : day)}
      formatter={(value) => format(value)}
    />,
  ];
}

export function Drawn({ children }: { children: ReactElement }) {
  return (
    <div aria-hidden="true" className="h-full">
      <ResponsiveContainer>{children}</ResponsiveContainer>
    </div>
  );
}
