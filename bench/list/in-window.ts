/**
 * Runs in the application's window: milliseconds from each key to the frame with its result, and from each scroll
 * step from end to end (`scrolled`). `bare`: a list that only filters the same names and draws as many rows.
 */
export async function measureList({ rounds, ways }: { readonly rounds: number; readonly ways: number }) {
  // A single letter occurs in some field of every machine, and would filter nothing.
  const texts = ['train', 'eval', 'notebook', 'render', 'serve', 'batch']
  const find = (selector: string): HTMLElement => {
    const found = document.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(`no ${selector}`)
    return found
  }
  /** A frame is done once a message that was posted in it arrives. */
  const painted = (): Promise<number> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      })
    })
  const timed = async (act: () => void): Promise<number> => {
    await painted()
    await painted()
    const started = performance.now()
    act()
    return (await painted()) - started
  }
  const input = document.querySelector<HTMLInputElement>('input[type=text]')
  if (!input) throw new Error('no filter')
  const type = (text: string): void => {
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const count = (): number => Number(find('[role=grid]').getAttribute('aria-rowcount')) - 1
  const total = count()
  const selectAll = async (): Promise<void> => {
    find('[role=columnheader] [role=checkbox], [role=columnheader] input[type=checkbox]').click()
    await painted()
  }

  const grid = find('[role=grid]')
  const names = Array.from(
    { length: total },
    (_, at) => `machine-${String(at)}-${texts[at % texts.length] ?? ''}`,
  )
  const shownRows = Math.ceil(grid.clientHeight / 36) + 8
  const bareList = document.createElement('div')
  bareList.style.cssText = 'position:fixed;inset:60px 0 0 210px;overflow:auto;background:canvas;z-index:99'
  const body = document.createElement('div')
  bareList.append(body)
  let bareRows = names
  const drawBareRows = (): void => {
    const first = Math.max(0, Math.floor(bareList.scrollTop / 36) - 4)
    const drawn: HTMLElement[] = []
    for (const [at, name] of bareRows.slice(first, first + shownRows).entries()) {
      const row = document.createElement('div')
      row.style.cssText = `position:absolute;inset-inline:0;height:36px;display:grid;grid-template-columns:repeat(8,1fr);top:${String((first + at) * 36)}px`
      for (let cell = 0; cell < 8; cell += 1) {
        const place = document.createElement('span')
        place.textContent = `${name} ${String(cell)}`
        row.append(place)
      }
      drawn.push(row)
    }
    body.replaceChildren(...drawn)
  }
  const drawBare = (text: string): void => {
    bareRows = names.filter((name) => name.includes(text))
    body.style.cssText = `position:relative;height:${String(bareRows.length * 36)}px`
    drawBareRows()
  }
  bareList.addEventListener('scroll', drawBareRows)

  /** Each step is several pages, so that every row in view changes. */
  const steps = 100
  const scroll = async (list: HTMLElement): Promise<readonly number[]> => {
    const way = list.scrollHeight - list.clientHeight
    if (way < total * 30) throw new Error('nothing to scroll through')
    const frames: number[] = []
    list.scrollTop = 0
    await painted()
    for (let step = 1; step <= steps; step += 1) {
      const started = performance.now()
      list.scrollTop = (way * step) / steps
      frames.push((await painted()) - started)
    }
    return frames
  }

  const times = { none: new Array<number>(), all: new Array<number>(), bare: new Array<number>() }
  for (let round = -3; round < rounds; round += 1) {
    const text = texts[(round + 3) % texts.length] ?? ''
    const none = await timed(() => type(text))
    if (count() >= total) throw new Error('the filter did nothing')
    type('')
    await painted()
    await selectAll()
    const selected = find('[role=toolbar]').textContent?.replaceAll(/[,\s]/g, '') ?? ''
    if (!selected.includes(`${String(total)}selected`)) throw new Error(`not all are selected: ${selected}`)
    const all = await timed(() => type(text))
    type('')
    await painted()
    find('[role=toolbar] button:last-of-type').click()
    await painted()
    document.body.append(bareList)
    drawBare('')
    const bare = await timed(() => drawBare(text))
    bareList.remove()
    await painted()
    if (round < 0) continue
    times.none.push(none)
    times.all.push(all)
    times.bare.push(bare)
  }
  const scrolled = { ours: new Array<number>(), bare: new Array<number>() }
  for (let way = 0; way <= ways; way += 1) {
    const ours = await scroll(grid)
    const last = names.length
    const shown = [...grid.querySelectorAll('[role=row]')].map((row) =>
      Number(row.getAttribute('aria-rowindex')),
    )
    if (!shown.includes(last + 1)) throw new Error('the last row is not shown')
    document.body.append(bareList)
    drawBare('')
    const bare = await scroll(bareList)
    bareList.remove()
    await painted()
    if (way === 0) continue
    scrolled.ours.push(...ours)
    scrolled.bare.push(...bare)
  }
  return { ...times, scrolled }
}
