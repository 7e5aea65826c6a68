import { describe, expect, it } from 'vitest'
import { openStore } from '../../../test/fixtures/store'
import { parameterCount } from './statement-text'

const refused = (reason: string) => ({
  failure: { kind: 'local-fault', action: 'store.prepare', reason },
})
const caught = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('a statement', () => {
  it.each([
    ['SELECT 1', 0],
    ['SELECT \'?\', "?", ? -- ?', 1],
    ['SELECT ?1, ?2, ?1 /* ?9; */', 2],
    ['SELECT ?, ?;  -- the end', 2],
  ])('%j has %i values', (sql, count) => {
    expect(parameterCount(sql)).toBe(count)
  })

  it.each(['SELECT 1; SELECT 2', '', ' -- nothing', ';'])('%j is rejected', (sql) => {
    expect(() => parameterCount(sql)).toThrow('local-fault')
  })
})

describe('the store', () => {
  it('rejects missing and surplus values, and a second statement', async () => {
    const { database } = await openStore()
    database.exec('CREATE TABLE word (a TEXT, b TEXT) STRICT')
    const insert = database.prepare('INSERT INTO word VALUES (?, ?)')
    expect(caught(() => insert.run('a'))).toMatchObject(refused('1 values for 2 parameters'))
    expect(caught(() => insert.run('a', 'b', 'c'))).toMatchObject(refused('3 values for 2 parameters'))
    const both = database.prepare("INSERT INTO word VALUES ('a', 'b'); DELETE FROM word")
    expect(caught(() => both.run())).toMatchObject(refused('more than one statement'))
    expect(database.prepare('SELECT count(*) AS count FROM word').get()).toEqual({ count: 0 })
  })

  it('returns a text with NUL or half a surrogate pair unchanged, and finds it again', async () => {
    const { database } = await openStore()
    database.exec('CREATE TABLE word (a TEXT PRIMARY KEY) STRICT')
    const words = [
      'x\0y',
      '\0',
      'x',
      '\uFDD0',
      '\uFDD00',
      'x\uFDD0\0',
      '\ud83d',
      '\ude00\ud83d',
      '\uFDD0d83d',
      '\u{1f600}',
    ]
    const insert = database.prepare('INSERT INTO word VALUES (?)')
    for (const word of words) insert.run(word)
    expect(new Set(database.prepare('SELECT a FROM word').arrays().flat())).toEqual(new Set(words))
    const find = database.prepare('SELECT a FROM word WHERE a = ?')
    for (const word of words) expect(find.all(word)).toEqual([{ a: word }])
  })
})
