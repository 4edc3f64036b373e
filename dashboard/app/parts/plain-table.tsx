import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface PlainTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly (readonly [label: string, show: (row: Row) => ReactNode])[];
  /** What is said where there are no rows. */
  readonly empty: string;
}

/** Rows that are all shown at once. */
export function PlainTable<Row>({ rows, keyOf, columns, empty }: PlainTableProps<Row>) {
  if (rows.length === 0) return <Typography color="textSecondary">{empty}</Typography>;
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Table">
      <Table size="small">
        <TableHead>
          <TableRow>
            {columns.map(([label]) => (
              <TableCell key={label}>{label}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(([label, show]) => (
                <TableCell key={label}>{show(row)}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
