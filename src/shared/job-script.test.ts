import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { jobFunctions, type JobQuestion, jobScript, readJobScript } from './job-script'

describe('the script of jobs', () => {
  it('is printed in the documentation as it is sent', () => {
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync('docs/jobs.md', 'utf8')) ?? []
    expect(block.trim()).toBe(jobFunctions)
  })

  it('is valid for /bin/sh and read back with any text', () => {
    const questions: readonly JobQuestion[] = [
      ['start_job', 'ab12', "echo 'it''s' \\ \"$HOME\"\nend_command '1' '2'\n"],
      ['log_file', "/data/'; rm -rf x/log"],
      ['panes'],
    ]
    const script = jobScript(questions)
    expect(spawnSync('/bin/sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(readJobScript(script)).toEqual(questions)
    expect(readJobScript('panes')).toBeNull()
  })
})
