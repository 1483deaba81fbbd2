package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
)

func (p *program) modelKeyCmd() *cobra.Command {
	var baseURL string
	cmd := &cobra.Command{
		Use:   "key PROVIDER",
		Short: "Save an API key; an empty one removes it",
		Long: `Saves an API key in the system's keyring. It is sent only to the provider's
server.

Without a keyring, the key is saved in a password-protected file beside the
settings. Bowerbird asks for the password; scripts set ` + models.EnvKeysPassword + `.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name, _, _ := strings.Cut(args[0], ":"); name == models.Builtin {
				return usagef("%s needs no key", config.DefaultModel)
			}
			settings, err := p.loadSettings()
			if err != nil {
				return err
			}
			host, err := models.ServerHost(args[0], baseURL, settings)
			if err != nil {
				return usageError{err}
			}
			line, err := p.readHidden(fmt.Sprintf("API key for %s (not shown as you type): ", host))
			if err != nil {
				return fmt.Errorf("no key was entered: %w", err)
			}
			return p.keepKey(cmd.Context(), args[0], host, config.NewSecret(line))
		},
	}
	cmd.Flags().StringVar(&baseURL, "base-url", "", "`URL` of the server (default: the one in the settings, or the provider's own)")
	return cmd
}

// keepKey stores the key for a host; an empty one removes the stored one.
func (p *program) keepKey(ctx context.Context, provider, host string, key config.Secret) error {
	file := config.NewKeyFile(p.places().Keys, time.Now)
	err := config.Keyring{}.SetModelKey(ctx, host, key)
	if key.IsZero() {
		inFile := file.SetModelKey(host, key)
		switch {
		case err == nil, inFile == nil, errors.Is(err, config.ErrNoSecret) && errors.Is(inFile, config.ErrNoSecret):
			p.say("Removed: no API key for %s is stored any more.", host)
			return nil
		case !errors.Is(inFile, config.ErrNoSecret):
			return inFile
		}
		return err
	}
	if err == nil {
		p.say("Saved in the keyring. The key is sent only to %s.", host)
		return nil
	}
	if !errors.Is(err, config.ErrNoKeyring) {
		return err
	}
	if err := p.openKeyFile(file, provider, err); err != nil {
		return err
	}
	if err := file.SetModelKey(host, key); err != nil {
		return err
	}
	p.say("Saved in %s, protected by the password. The key is sent only to %s.", p.places().Keys, host)
	return nil
}

// openKeyFile unlocks the key file, or makes it. noKeyring is why it is needed.
func (p *program) openKeyFile(file *config.KeyFile, provider string, noKeyring error) error {
	state, err := file.State()
	if err != nil {
		return fmt.Errorf("%w; rename or remove it to start a new one", err)
	}
	password := os.Getenv(models.EnvKeysPassword)
	if password == "" && !p.atTerminal() {
		return noKeyringAdvice(noKeyring, provider)
	}
	if state == config.KeyFileLocked {
		if password == "" {
			if password, err = p.askKeysPassword(false); err != nil {
				return err
			}
		}
		return file.Unlock(password)
	}
	if password == "" {
		p.say("This computer has no usable keyring, so the key is saved in a password-protected file.\nBowerbird asks for the password when it needs the key. Choose at least %d characters.", config.LeastPassword)
		if password, err = p.readHidden("New password (not shown as you type): "); err != nil {
			return err
		}
		again, err := p.readHidden("Repeat the password: ")
		if err != nil {
			return err
		}
		if again != password {
			return errors.New("the passwords do not match; nothing was saved")
		}
	}
	return file.Create(password)
}

// askKeysPassword asks for the password of the key file at the terminal.
func (p *program) askKeysPassword(again bool) (string, error) {
	if again {
		p.say("Wrong password.")
	}
	return p.readHidden("Password for the key file (not shown as you type): ")
}

// modelOptions configures models for use without a store.
func (p *program) modelOptions(settings config.Settings) models.Options {
	return models.Options{Places: p.places(), Settings: func() config.Settings { return settings }, KeysPassword: p.keysPassword}
}

// keysPassword is [app.Options].KeysPassword.
func (p *program) keysPassword(_ context.Context, again bool) (string, error) {
	if !p.atTerminal() {
		return "", fmt.Errorf("%w: set %s, or run this in a terminal", config.ErrKeysLocked, models.EnvKeysPassword)
	}
	return p.askKeysPassword(again)
}

// noKeyringAdvice adds to the error of a keyring where else a key can be stored.
func noKeyringAdvice(err error, provider string) error {
	advice := fmt.Sprintf("set %s to a password, and the key is saved in a file protected by it", models.EnvKeysPassword)
	if p, ok := llm.FindProvider(provider); ok && len(p.KeyEnv) > 0 {
		advice += ", or set " + p.KeyEnv[0]
		if p.BaseURL == "" {
			advice += " and " + models.EnvAPIHost
		}
		advice += " instead"
	}
	return fmt.Errorf("%w; %s", err, advice)
}

// atTerminal reports whether the user can be asked for a secret.
func (p *program) atTerminal() bool {
	f, ok := p.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// readHidden reads a line from a terminal without echo, or from a pipe.
func (p *program) readHidden(prompt string) (string, error) {
	if f, ok := p.in.(*os.File); ok && p.atTerminal() {
		// Before the prompt, so that what is typed or pasted early is not shown either.
		before, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(int(f.Fd()), before) }()
		line, err := term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{f, p.err}, "").ReadPassword(prompt)
		if errors.Is(err, io.EOF) { // Ctrl+C and Ctrl+D
			_, _ = io.WriteString(p.err, "\r\n")
			err = errors.New("stopped")
		}
		return line, err
	}
	line, err := bufio.NewReader(io.LimitReader(p.in, 64<<10)).ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
