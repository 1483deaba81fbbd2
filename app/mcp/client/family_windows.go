package client

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// neededToRun are variables without which no program runs.
var neededToRun = []string{"SystemRoot", "PATHEXT", "TEMP"}

// family is a process and its children: a job, which ends when its last handle is closed.
type family windows.Handle

func startFamily(cmd *exec.Cmd) (family, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return family(job), nil
}

// ask does nothing: a process without a window cannot be asked to end.
func (f family) ask()  {}
func (f family) kill() { _ = windows.TerminateJobObject(windows.Handle(f), 1) }
