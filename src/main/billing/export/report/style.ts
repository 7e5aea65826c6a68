import type { Html } from './html'

/** Style of an A4 or Letter page: dark on white, in any theme of the window. */
export const style: Html = {
  html: `
@page { margin: 11mm 15mm; }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { -webkit-print-color-adjust: exact; }
body { color: #171b21; font: 9.5pt/1.4 'Inter', 'Noto Sans', 'Noto Sans CJK SC', 'Liberation Sans', Arial, sans-serif; }
h1 { font-size: 18pt; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin-bottom: 1mm; font-size: 9pt; font-weight: 600; }
header { display: flex; align-items: flex-end; justify-content: space-between; gap: 8mm; padding-bottom: 3mm; border-bottom: 1px solid #171b21; }
.made { font-size: 8pt; text-align: right; }
.muted { color: #5c6775; }
.sandbox { margin-top: 3mm; padding: 1.5mm 3mm; border: 1px solid #c99a3c; border-radius: 1mm; background: #fbf3e2; }
.figures { display: flex; gap: 12mm; margin-top: 4mm; break-inside: avoid; }
.figures h2 { color: #5c6775; font-weight: 400; }
.figures .muted { font-size: 8pt; }
.amount { font-size: 16pt; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
section { margin-top: 4mm; break-inside: avoid; }
svg { display: block; width: 100%; max-height: 36mm; }
svg text { fill: #5c6775; font-size: 9px; }
.legend { margin-bottom: 1mm; color: #5c6775; font-size: 8pt; }
.legend span { display: inline-block; width: 2.2mm; height: 2.2mm; margin-right: 1.5mm; border-radius: 0.4mm; }
.legend .charged { background: #0a7465; }
.legend .estimated { margin-left: 4mm; background: #5fa79a; }
.two { display: grid; grid-template-columns: 2fr 3fr; gap: 10mm; }
.two td { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; }
th { color: #5c6775; font-size: 8pt; font-weight: 500; text-align: left; }
th, td { padding: 0.55mm 0; border-bottom: 1px solid #e3e7ec; }
td + td, th + th { padding-left: 4mm; }
.name, .gpu { max-width: 66mm; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
footer { margin-top: 5mm; padding-top: 2mm; border-top: 1px solid #e3e7ec; color: #5c6775; font-size: 7.5pt; break-inside: avoid; }
footer h2 { font-size: 7.5pt; }
ul { list-style: none; }
/* Several currencies, each with its own figures and bars, on the same one page. */
.several { zoom: 0.9; }
.several svg { max-height: 24mm; }
.many { zoom: 0.8; }
`,
}
